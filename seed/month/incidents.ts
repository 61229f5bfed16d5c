/** What operations told everybody in the month: an incident from its first word to its post-mortem, and maintenance to come. */
import { componentIds } from '../../server/contract/status/components.ts'
import type { Days } from './days.ts'
import type { Scene, Step } from './scene.ts'

const signInTitle = 'Apps could not complete sign-in'
const exportTitle = 'Bulk exports were slow'

type Told = Parameters<Scene['status']['updateIncident']>[0]

export function incidentSteps(days: Days): Step[] {
  return [...signIn(days), ...slowExports(days), ...maintenance(days)]
}

/** On the evening on which an approved app could not be enabled; see apps.ts. */
function signIn(days: Days): Step[] {
  const at = (time: string) => days.business(5, time)
  const update = updates(signInTitle, { smart: 'partial_outage' })
  return [
    {
      at: at('16:32'),
      name: 'sign-in reported',
      act: async (scene) => {
        await scene.status.openIncident(
          {
            id: crypto.randomUUID(),
            kind: 'incident',
            title: signInTitle,
            text: 'Some apps get an error at the authorize address. Tokens that were issued before go on working.',
            components: { smart: 'partial_outage' },
            reason: 'Two developers called, and our own check failed twice.',
          },
          await scene.actor('olu'),
        )
      },
    },
    update(at('16:48'), 'identified', 'A certificate inside our network had expired. We are replacing it.'),
    update(at('17:20'), 'monitoring', 'Apps complete sign-in again. We keep watching.'),
    update(at('18:05'), 'resolved', 'No errors for 45 minutes. You can now retry sign-ins that failed.'),
    {
      at: days.business(4, '11:00'),
      name: 'sign-in post-mortem',
      act: async (scene) => {
        const { id, version } = await scene.prisma.incident.findFirstOrThrow({
          where: { title: signInTitle },
        })
        const text = [
          '## What happened',
          'From 16:30 to 17:18 Eastern time, one in three authorize requests failed.',
          '## Why',
          'A certificate between two of our servers expired. Its renewal had failed silently for a week.',
          '## What we changed',
          '- Certificates are checked every day, and the check pages us 14 days before one expires.',
          '- A failed renewal is an error now, not a line in a log.',
        ].join('\n\n')
        await scene.status.writePostMortem(
          { id, version, text, reason: 'Two days after it ended, as we promise.' },
          await scene.actor('olu'),
        )
      },
    },
  ]
}

function slowExports(days: Days): Step[] {
  const update = updates(exportTitle, { fhir: 'degraded' })
  return [
    {
      at: days.back(19, '07:10'),
      name: 'exports reported',
      act: async (scene) => {
        await scene.status.openIncident(
          {
            id: crypto.randomUUID(),
            kind: 'incident',
            title: exportTitle,
            text: 'Bulk exports that began after midnight take several times as long as usual. Reads and searches are not affected.',
            components: { fhir: 'degraded' },
            reason: 'The queue of exports grew for an hour.',
          },
          await scene.actor('olu'),
        )
      },
    },
    update(days.back(19, '09:05'), 'resolved', 'The queue is empty. Exports take the usual time again.'),
  ]
}

function maintenance(days: Days): Step[] {
  return [
    {
      at: days.back(2, '12:00'),
      name: 'maintenance announced',
      act: async (scene) => {
        const startsAt = new Date(days.end.getTime() + 4 * 86_400_000)
        await scene.status.openIncident(
          {
            id: crypto.randomUUID(),
            kind: 'maintenance',
            title: 'Database upgrade',
            text: 'Writes are refused for up to ten minutes. Reads continue to work.',
            components: { api: 'under_maintenance' },
            startsAt,
            endsAt: new Date(startsAt.getTime() + 30 * 60_000),
            reason: 'The yearly upgrade of the database.',
          },
          await scene.actor('olu'),
        )
      },
    },
  ]
}

/** Further words on an incident. */
function updates(title: string, components: Told['components']) {
  return (at: Date, stage: string, text: string): Step => ({
    at,
    name: `${title} ${stage}`,
    act: async (scene) => {
      const { id, version } = await scene.prisma.incident.findFirstOrThrow({ where: { title } })
      await scene.status.updateIncident(
        { id, version, stage, text, components, reason: 'What is known by now.' },
        await scene.actor('olu'),
      )
    },
  })
}

/** Minutes of trouble in the month, in UTC days. */
type Trouble = Readonly<{ component: string; state: string; from: Date; minutes: number }>

/**
 * The days of the status page before the server ran, in one statement. Today is left to the server's own checks.
 */
export async function writeStatusDays({ prisma }: Scene, days: Days, count: number): Promise<void> {
  const troubles: readonly Trouble[] = [
    { component: 'smart', state: 'partial_outage', from: days.business(5, '16:32'), minutes: 48 },
    { component: 'fhir', state: 'degraded', from: days.back(19, '07:10'), minutes: 115 },
    { component: 'api', state: 'degraded', from: days.back(27, '11:00'), minutes: 6 },
    { component: 'mcp', state: 'down', from: days.back(24, '12:00'), minutes: 9 },
  ]
  const rows = Array.from({ length: count }, (_, index) => count - index).flatMap((back) => {
    const day = new Date(days.end.getTime() - back * 86_400_000).toISOString().slice(0, 10)
    return componentIds.flatMap((component) => {
      if (unchecked.has(component)) return []
      const own = troubles.filter(
        (trouble) => trouble.component === component && trouble.from.toISOString().startsWith(day),
      )
      const lost = own.reduce((sum, { minutes }) => sum + minutes, 0)
      return [
        ...own.map(({ state, minutes }) => ({ component, day, state, minutes })),
        { component, day, state: 'operational', minutes: 1_440 - lost },
      ]
    })
  })
  await prisma.statusDay.createMany({
    data: rows.map(({ day, ...row }) => ({ ...row, day: new Date(`${day}T00:00:00Z`) })),
    skipDuplicates: true,
  })
}

/** Of others, and watched only where their addresses are set. */
const unchecked: ReadonlySet<string> = new Set(['academy', 'chartvoyant_app', 'ai'])
