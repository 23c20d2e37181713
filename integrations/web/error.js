/** Letters that control a terminal or turn the direction of a text, as escapes. */
const printable = (text) => String(text).replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);

/** A failure that quakefs explains. */
export class QuakeError extends Error {
  /** @param {{ error: string, help?: string, cause?: unknown, url?: string, status?: number }} failure */
  constructor({ error, help = "", cause, url, status }) {
    super(printable(error), cause && { cause });
    this.name = "QuakeError";
    Object.assign(this, { help: printable(help) }, url && { url: printable(url) }, status && { status });
  }

  /** Any failure as one of these: those of the platform and of the caller's own sources have `cause`. */
  static of(cause, about = "") {
    if (cause instanceof QuakeError || cause?.name === "AbortError") return cause;
    return new QuakeError({ error: about + (cause?.message ?? String(cause)), cause });
  }
}
