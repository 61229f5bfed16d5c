/** One way to write an instant in a mail: `Mon 30 Nov 2026, 23:59 EST`. */
export function formatInstant(iso: string, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).formatToParts(new Date(iso))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
  const day = `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`
  return `${day}, ${part('hour')}:${part('minute')} ${part('timeZoneName')}`
}
