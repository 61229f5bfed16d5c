/** Ids come from URLs: anything else must not reach a uuid column. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id to look a row up by. What is no UUID would be an error of the database; the nil UUID is the id of no row. */
export const rowId = (text: string): string =>
  uuidPattern.test(text) ? text : '00000000-0000-0000-0000-000000000000'
