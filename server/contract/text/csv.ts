/** Comma-separated values: https://www.rfc-editor.org/rfc/rfc4180 */

export type CsvValue = string | number | boolean | Date | null

/**
 * Prefixes a cell that a spreadsheet would evaluate with an apostrophe, so that it stays text. In some locales
 * full-width signs begin a formula, too: https://owasp.org/www-community/attacks/CSV_Injection
 */
function csvCell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return value instanceof Date ? value.toISOString() : String(value)
  const text = /^[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value
  return text === value && !/[",\r\n]/.test(text) ? text : `"${text.replaceAll('"', '""')}"`
}

/** The first line. Spreadsheets read a file without a byte order mark in the encoding of their locale. */
export const csvHead = (heads: readonly string[]) => `\uFEFF${csvLine(heads)}`

export const csvLine = (cells: readonly CsvValue[]): string => `${cells.map(csvCell).join(',')}\r\n`
