/** Figures with the names of what they are about. No role is asked. */
import { typeClasses } from '../../contract/keys/class-coverage.ts'
import { useDays } from '../../contract/portal/access-use.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { readDays } from './count-days.ts'
import { type Figures, ranked, sumBySubject, sumOf, type UseDay } from './figures.ts'
import { findNetworks, type KnownNetwork } from './networks.ts'
import { audienceLabel, type NamedSubject, nameSubjects } from './subjects.ts'

export type Use = NamedSubject &
  Readonly<{
    label: string
    figures: Figures
    refused: number
    classes: readonly string[]
    sources: readonly Source[]
  }>

export type Source = Readonly<{ network: string; calls: number; known: KnownNetwork | null }>

/** The most calls first. */
export async function readUse(
  core: Core,
  practiceId: string,
  range: Readonly<{ from: string; until: string }>,
): Promise<Use[]> {
  return describeUse(core, practiceId, await readDays(core, practiceId, range))
}

export async function describeUse(core: Core, practiceId: string, days: readonly UseDay[]): Promise<Use[]> {
  const bySubject = sumBySubject(days)
  const subjects = [...bySubject.values()].map(({ subject }) => subject)
  const [names, known] = await Promise.all([nameSubjects(core, subjects), findNetworks(core, practiceId)])
  return [...bySubject]
    .flatMap(([key, { figures }]) => {
      const named = names.get(key)
      if (!named) return []
      return {
        ...named,
        label: audienceLabel(named),
        figures,
        refused: sumOf(figures.refusals),
        classes: classesRead(figures),
        sources: ranked(figures.networks).map(([network, calls]) => ({
          ...{ network, calls, known: known.get(network) ?? null },
        })),
      }
    })
    .sort((a, b) => b.figures.calls - a.figures.calls || (a.name < b.name ? -1 : 1))
}

/** A type whose resources are of several classes is named with all of them: the log does not tell them apart. */
function classesRead({ types }: Figures): string[] {
  return [...new Set(Object.keys(types).flatMap((type) => typeClasses(type) ?? [type]))].sort()
}

export function lastDays({ clock }: Pick<Core, 'clock'>) {
  const until = clock().toISOString().slice(0, 10)
  return { from: addDays(until, 1 - useDays), until }
}
