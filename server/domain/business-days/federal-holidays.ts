/** The federal holidays on the days they are observed. https://www.opm.gov/policy-data-oversight/pay-leave/federal-holidays/ and 5 U.S.C. 6103 */
import { addDays, type CalendarDate, toDate, weekdayOf } from './calendar-date.ts'

type Holiday = Readonly<{ name: string; since?: number; on(year: number): CalendarDate }>

const [monday, thursday, saturday, sunday] = [1, 4, 6, 0]

const holidays: readonly Holiday[] = [
  { name: 'New Year’s Day', on: (year) => toDate(year, 1, 1) },
  { name: 'Birthday of Martin Luther King, Jr.', since: 1986, on: (year) => nth(year, 1, monday, 3) },
  { name: 'Washington’s Birthday', on: (year) => nth(year, 2, monday, 3) },
  { name: 'Memorial Day', on: (year) => last(year, 5, monday) },
  { name: 'Juneteenth', since: 2021, on: (year) => toDate(year, 6, 19) },
  { name: 'Independence Day', on: (year) => toDate(year, 7, 4) },
  { name: 'Labor Day', on: (year) => nth(year, 9, monday, 1) },
  { name: 'Columbus Day', on: (year) => nth(year, 10, monday, 2) },
  { name: 'Veterans Day', on: (year) => toDate(year, 11, 11) },
  { name: 'Thanksgiving Day', on: (year) => nth(year, 11, thursday, 4) },
  { name: 'Christmas Day', on: (year) => toDate(year, 12, 25) },
]

const observedIn = new Map<number, ReadonlyMap<CalendarDate, string>>()

/** Name of the holiday observed on a date; null on any other. */
export function findHoliday(date: CalendarDate): string | null {
  const year = Number(date.slice(0, 4))
  return holidaysOf(year).get(date) ?? null
}

/** The holidays observed within a year by date: New Year's Day of the next one may be among them. */
export function holidaysOf(year: number): ReadonlyMap<CalendarDate, string> {
  const known = observedIn.get(year)
  if (known) return known
  const found = new Map<CalendarDate, string>()
  for (const of of [year, year + 1]) {
    for (const { name, since = 0, on } of holidays) {
      if (of < since) continue
      const date = observed(on(of))
      if (Number(date.slice(0, 4)) === year) found.set(date, name)
    }
  }
  observedIn.set(year, found)
  return found
}

/** On a Saturday: the Friday before. On a Sunday: the Monday after. */
function observed(date: CalendarDate): CalendarDate {
  const weekday = weekdayOf(date)
  if (weekday === saturday) return addDays(date, -1)
  return weekday === sunday ? addDays(date, 1) : date
}

function nth(year: number, month: number, weekday: number, count: number): CalendarDate {
  const first = toDate(year, month, 1)
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (count - 1) * 7)
}

function last(year: number, month: number, weekday: number): CalendarDate {
  const end = addDays(toDate(year, month + 1, 1), -1)
  return addDays(end, -((weekdayOf(end) - weekday + 7) % 7))
}
