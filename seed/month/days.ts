/** When things happened, counted back from the moment at which the demonstration was made. */
import { isBusinessDay, type OfficeCalendar } from '../../server/domain/business-days/business-days.ts'
import { addDays } from '../../server/domain/business-days/calendar-date.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

export interface Days {
  /** So many days back, at an hour of the office's clock. */
  readonly back: (days: number, time: string) => Date
  /** So many business days back. What is due in business days is due then on every day of the week. */
  readonly business: (days: number, time: string) => Date
  readonly minutesAgo: (minutes: number) => Date
  readonly end: Date
}

/** @param end nothing is later */
export function createDays(calendar: OfficeCalendar, end: Date): Days {
  const today = calendar.dateOf(end)
  const at = (date: string, time: string): Date => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const found = calendar.endOf(date).getTime() - dayMs + 1_000 + (hours * 60 + minutes) * minuteMs
    return new Date(Math.min(found, end.getTime()))
  }
  return {
    back: (days, time) => at(addDays(today, -days), time),
    business: (days, time) => {
      let [date, left] = [today, days]
      while (left > 0) {
        date = addDays(date, -1)
        if (isBusinessDay(date)) left -= 1
      }
      return at(date, time)
    },
    minutesAgo: (minutes) => new Date(end.getTime() - minutes * minuteMs),
    end,
  }
}
