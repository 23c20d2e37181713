/** A failure that quakefs explains. */
export class QuakeError extends Error {
  /** @param {{ error: string, help?: string, cause?: unknown, url?: string, status?: number }} failure */
  constructor({ error, help = "", cause, url, status }) {
    super(error, cause && { cause });
    this.name = "QuakeError";
    Object.assign(this, { help }, url && { url }, status && { status });
  }
}
