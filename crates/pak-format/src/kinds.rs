//! Tables of kinds: one row has the variant, its stable name, its severity if it is a finding, its sentence
//! and the advice.

/// Defines an enum with `name`, `help` and `Display`, and with `severity` if each row has one.
macro_rules! kinds {
    (
        $(#[$meta:meta])*
        pub enum $Kind:ident {
            $(
                $(#[$about:meta])*
                $Variant:ident $(($inner:ident: $Inner:ty))?
                $({ $($(#[$of_field:meta])* $field:ident: $Field:ty),* $(,)? })?
                => $name:expr, $($severity:ident,)? [$($sentence:tt)+], $help:expr;
            )+
        }
    ) => {
        $(#[$meta])*
        #[non_exhaustive]
        pub enum $Kind {
            $(
                $(#[$about])*
                $Variant $(($Inner))? $({ $($(#[$of_field])* $field: $Field),* })?,
            )+
        }

        #[allow(
            unused_variables,
            unused_doc_comments,
            reason = "a row uses the fields that it needs; `cfg` comes with its docs"
        )]
        impl $Kind {
            /// The variants of the table, for tests that need one sample of each.
            #[doc(hidden)]
            pub const VARIANTS: &[&str] = &[$($(#[$about])* stringify!($Variant)),+];

            /// A stable name for programs.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $($(#[$about])* $Kind::$Variant $(($inner))? $({ $($field),* })? => $name,)+
                }
            }

            /// The advice.
            #[must_use]
            pub fn help(&self) -> &'static str {
                match self {
                    $($(#[$about])* $Kind::$Variant $(($inner))? $({ $($field),* })? => $help,)+
                }
            }

            kinds!(@severity $Kind {
                $($(#[$about])* $Variant $(($inner))? $({ $($field),* })? => $($severity)?;)+
            });
        }

        impl core::error::Error for $Kind {}

        #[allow(
            unused_variables,
            unused_doc_comments,
            reason = "a row uses the fields that it needs; `cfg` comes with its docs"
        )]
        impl core::fmt::Display for $Kind {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $($(#[$about])* $Kind::$Variant $(($inner))? $({ $($field),* })? => {
                        write!(f, $($sentence)+)
                    })+
                }
            }
        }
    };

    (@severity $Kind:ident {
        $($(#[$about:meta])* $Variant:ident $(($inner:ident))? $({ $($field:ident),* })? => ;)+
    }) => {};
    (@severity $Kind:ident {
        $($(#[$about:meta])* $Variant:ident $(($inner:ident))? $({ $($field:ident),* })?
            => $severity:ident;)+
    }) => {
        /// How much it matters.
        #[must_use]
        pub const fn severity(&self) -> Severity {
            match self {
                $($Kind::$Variant $(($inner))? $({ $($field),* })? => Severity::$severity,)+
            }
        }
    };
}

pub(crate) use kinds;
