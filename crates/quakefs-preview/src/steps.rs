//! Positions as whole steps within their bounding box.

/// Positions farther from the origin, in units of the game, belong to no real level or model.
pub(crate) const FARTHEST: f32 = 1_048_576.0;

/// A bounding box whose longest side has 65535 steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    pub(crate) least: [f32; 3],
    /// The sides in units of the game.
    pub(crate) sides: [f32; 3],
    /// Steps per unit.
    scale: f32,
}

impl Steps {
    /// The bounding box of at least one position.
    pub(crate) fn of(places: impl Iterator<Item = [f32; 3]>) -> Self {
        let (mut least, mut most) = ([FARTHEST; 3], [-FARTHEST; 3]);
        for place in places {
            for ((least, most), at) in least.iter_mut().zip(&mut most).zip(place) {
                *least = least.min(at).max(-FARTHEST);
                *most = most.max(at).min(FARTHEST);
            }
        }
        let mut sides = most;
        sides.iter_mut().zip(least).for_each(|(side, least)| *side = (*side - least).max(0.0));
        let steps = Steps { least, sides, scale: 1.0 };
        Steps { scale: f32::from(u16::MAX) / steps.longest(), ..steps }
    }

    /// The longest side in units of the game, at least 1.
    pub(crate) fn longest(&self) -> f32 {
        self.sides.iter().copied().fold(1.0, f32::max)
    }

    /// A position in steps from the minimum corner, clamped to the box.
    pub(crate) fn at(&self, place: [f32; 3]) -> [u16; 3] {
        let mut steps = [0; 3];
        for (step, (at, least)) in steps.iter_mut().zip(place.into_iter().zip(self.least)) {
            *step = whole((at - least) * self.scale);
        }
        steps
    }

    /// A position seen from above, in steps east and south, clamped to the box.
    pub(crate) fn above(&self, [x, y, z]: [f32; 3]) -> [u16; 2] {
        let [_, north, _] = self.sides.map(|side| whole(side * self.scale));
        let [east, up, _] = self.at([x, y, z]);
        [east, north.saturating_sub(up)]
    }

    /// Whether a position is inside the box, seen from above.
    pub(crate) fn holds(&self, place: [f32; 3]) -> bool {
        let offsets = place.into_iter().zip(self.least).zip(self.sides);
        offsets.take(2).all(|((at, least), side)| (0.0..=side).contains(&(at - least)))
    }
}

/// Rounds to the nearest whole number, clamped; 0 for NaN.
pub(crate) fn whole(number: f32) -> u16 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it ends at the first and the last"
    )]
    let whole = (number + 0.5) as u16;
    whole
}
