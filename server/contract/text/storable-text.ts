/** Text of another person's, as a JSON column of the database can hold it. */

/** The beginning of it, never half of a surrogate pair and never a NUL: PostgreSQL refuses a document with either. */
export function storableText(text: string, most: number): string {
  return text
    .slice(0, most)
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
    .replaceAll('\0', '\uFFFD')
}
