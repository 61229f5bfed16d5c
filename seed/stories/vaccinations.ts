/** Vaccines by age and era: each at the visit nearest its month, yearly ones in autumn. */
import { type VaccineKey, vaccines } from '../codes/codes.ts'
import { addDays, addMonths, daysBetween, weekday } from '../people/calendar.ts'
import type { Chart } from '../timeline/chart.ts'
import type { Story } from './story.ts'

/** The routine vaccines. The year decides between several products. */
const routine: readonly (readonly VaccineKey[])[] = [
  ['hepbPed'],
  ['ipv'],
  ['dtap'],
  ['hibPrpT'],
  ['rotavirusPentavalent'],
  ['pcv13', 'pcv15', 'pcv20'],
  ['mmr'],
  ['varicella'],
  ['hepaPed'],
  ['tdap'],
  ['hpv9'],
  ['menacwyD', 'menacwyTT'],
  ['tdAdult'],
  ['zosterRecombinant'],
]

export const vaccinations: Story = {
  name: 'vaccinations',
  share: () => 0.97,
  tell: (chart, chance) => {
    const { subject } = chart
    const days = new Map<number, string>()
    /** One day for all that is due at an age: that of the check-up, where there is one. */
    const dayOf = (month: number) => {
      const known = days.get(month)
      if (known !== undefined) return known
      const later = month === 0 ? 0 : month <= 24 ? 3 : chance.integer(0, 20)
      const due = addDays(addMonths(subject.traits.birthDay, month), later)
      const day = month === 0 ? due : weekday(due)
      days.set(month, day)
      return day
    }
    for (const products of routine) {
      const months = [...new Set(products.flatMap(schedule))].sort((a, b) => a - b)
      for (const month of months) {
        const date = dayOf(month)
        const product = products.find((each) => schedule(each).includes(month) && isGiven(each, date))
        if (product === undefined || date > subject.until || !isTold(chart, date, month)) continue
        give(chart, product, date)
      }
    }
    flu(chart, chance.happens(0.7))
  },
}

function schedule(product: VaccineKey): readonly number[] {
  return vaccines[product].ageMonths ?? []
}

function isGiven(product: VaccineKey, date: string): boolean {
  const [first, last] = vaccines[product].years ?? [0, 9999]
  const year = Number(date.slice(0, 4))
  return year >= first && year <= last
}

/** All of childhood for those still young; for adults what falls into the last ten years. */
function isTold({ subject }: Chart, date: string, month: number): boolean {
  const young = daysBetween(subject.traits.birthDay, subject.until) < 19 * 365
  return young || (month > 216 && daysBetween(date, subject.until) < 3650)
}

function flu(chart: Chart, willing: boolean): void {
  const { subject } = chart
  if (!willing) return
  for (let year = Number(subject.from.slice(0, 4)); year <= Number(subject.until.slice(0, 4)); year++) {
    const date = weekday(`${year}-10-${String(5 + (subject.traits.noiseSeed % 20)).padStart(2, '0')}`)
    const old = daysBetween(subject.traits.birthDay, date) >= 65 * 365.25
    if (date > subject.until || date < subject.from) continue
    if (daysBetween(subject.traits.birthDay, date) < 190) continue
    if (year < 2024) give(chart, 'fluSplitQuadPf', date)
    else give(chart, old ? 'fluHighDoseTriv' : 'fluSplitTrivPf', date)
  }
}

function give(chart: Chart, vaccine: VaccineKey, date: string): void {
  const [visit] = chart.visits
    .filter((each) => each.date >= date && daysBetween(date, each.date) < 14)
    .sort((one, other) => (one.date < other.date ? -1 : 1))
  const at = visit?.date ?? date
  chart.add({
    kind: 'immunization',
    at: visit?.at ?? at,
    vaccine,
    seen: at >= chart.subject.from,
    lot: `SYN${at.slice(2, 4)}${vaccines[vaccine].coding.code}`,
    ...(visit ? { visit: visit.key } : {}),
  })
}
