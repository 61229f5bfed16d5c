import { date } from '../../lib/dates.ts'

/** A date of the office's calendar, `yyyy-mm-dd`, as people read it. */
export const officeDay = (day: string) => date(`${day}T00:00:00Z`, 'UTC')
