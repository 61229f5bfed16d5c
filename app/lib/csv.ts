/** Comma-separated values: https://www.rfc-editor.org/rfc/rfc4180 */

/** A cell that a spreadsheet would calculate gets an apostrophe before it, so that it stays text. */
export function csvCell(value: string | number | boolean | Date | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return value instanceof Date ? value.toISOString() : String(value)
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return text === value && !/[",\r\n]/.test(text) ? text : `"${text.replaceAll('"', '""')}"`
}

export function csvLine(cells: readonly Parameters<typeof csvCell>[0][]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}
