/** https://hl7.org/fhir/R4/datatypes.html#instant, to the microsecond. */

const instant =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(Z|[+ -](?:0\d|1[0-4]):[0-5]\d)$/

/** @returns microseconds since 1970; null if it isn't an instant */
export function parseInstantMicros(text: string): bigint | null {
  const [, year, month, day, hour, minute, second, fraction = '', zone = ''] = instant.exec(text) ?? []
  if (year === undefined) return null
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return null
  date.setUTCHours(Number(hour), Number(minute), Number(second))
  const [hours = 0, minutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number)
  // In a query, a plus that was not encoded becomes a space.
  const offset = (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
  return BigInt(date.getTime() - offset) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}
