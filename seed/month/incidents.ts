/** The status updates of the month: two incidents, one of them with a post-mortem, and upcoming maintenance. */
import { componentIds } from '../../server/contract/status/components.ts'
import { type Days, type Scene, type Step, storiesOf } from './scene.ts'

type Opened = Parameters<Scene['status']['openIncident']>[0]
type Incident = Readonly<{ name: string; components: Opened['components'] }>

const findIncident = ({ prisma }: Scene, { name: title }: Incident) =>
  prisma.incident.findFirstOrThrow({ where: { title } })

const verbs = {
  opens: async (scene: Scene, { name: title, components }: Incident, text: string, reason: string) =>
    scene.status.openIncident(
      { id: crypto.randomUUID(), kind: 'incident', title, text, components, reason },
      await scene.actor('olu'),
    ),

  'is announced': async (scene: Scene, incident: Incident, text: string, reason: string, startsAt: Date) => {
    const { name: title, components } = incident
    const endsAt = new Date(startsAt.getTime() + 30 * 60_000)
    return scene.status.openIncident(
      {
        ...{ id: crypto.randomUUID(), kind: 'maintenance' },
        ...{ title, text, components, startsAt, endsAt, reason },
      },
      await scene.actor('olu'),
    )
  },

  'goes on': async (scene: Scene, incident: Incident, stage: string, text: string) => {
    const { id, version } = await findIncident(scene, incident)
    const { components } = incident
    return scene.status.updateIncident(
      { id, version, stage, text, components, reason: 'What is known by now.' },
      await scene.actor('olu'),
    )
  },

  'is explained': async (scene: Scene, incident: Incident, lines: readonly string[]) => {
    const { id, version } = await findIncident(scene, incident)
    return scene.status.writePostMortem(
      { id, version, text: lines.join('\n\n'), reason: 'Two days after it ended, as we promise.' },
      await scene.actor('olu'),
    )
  },
}

const story = storiesOf(verbs)

/** The first one is on the evening when an approved app could not be enabled; see apps.ts. */
export function incidentSteps({ back, business, end }: Days): Step[] {
  return [
    ...story(
      { name: 'Apps could not complete sign-in', components: { smart: 'partial_outage' } },
      [
        business(5, '16:32'),
        'opens',
        'Some apps get an error at the authorize address. Tokens that were issued before go on working.',
        'Two developers called, and our own check failed twice.',
      ],
      [
        business(5, '16:48'),
        'goes on',
        'identified',
        'A certificate inside our network had expired. We are replacing it.',
      ],
      [business(5, '17:20'), 'goes on', 'monitoring', 'Apps complete sign-in again. We keep watching.'],
      [
        business(5, '18:05'),
        'goes on',
        'resolved',
        'No errors for 45 minutes. You can now retry sign-ins that failed.',
      ],
      [
        business(4, '11:00'),
        'is explained',
        [
          '## What happened',
          'From 16:30 to 17:18 Eastern time, one in three authorize requests failed.',
          '## Why',
          'A certificate between two of our servers expired. Its renewal had failed silently for a week.',
          '## What we changed',
          '- Certificates are checked every day, and the check pages us 14 days before one expires.',
          '- A failed renewal is an error now, not a line in a log.',
        ],
      ],
    ),
    ...story(
      { name: 'Bulk exports were slow', components: { fhir: 'degraded' } },
      [
        back(19, '07:10'),
        'opens',
        'Bulk exports that began after midnight take several times as long as usual. Reads and searches are not affected.',
        'The queue of exports grew for an hour.',
      ],
      [back(19, '09:05'), 'goes on', 'resolved', 'The queue is empty. Exports take the usual time again.'],
    ),
    ...story({ name: 'Database upgrade', components: { api: 'under_maintenance' } }, [
      back(2, '12:00'),
      'is announced',
      'Writes are refused for up to ten minutes. Reads continue to work.',
      'The yearly upgrade of the database.',
      new Date(end.getTime() + 4 * 86_400_000),
    ]),
  ]
}

/** Services of other companies. They are checked only if their URLs are set. */
const unchecked: ReadonlySet<string> = new Set(['academy', 'chartvoyant_app', 'ai'])

/** Writes the days of the status page from before the server ran. The server's own checks fill in today. */
export async function writeStatusDays({ prisma }: Scene, days: Days, count: number): Promise<void> {
  const outages = [
    { component: 'smart', state: 'partial_outage', from: days.business(5, '16:32'), minutes: 48 },
    { component: 'fhir', state: 'degraded', from: days.back(19, '07:10'), minutes: 115 },
    { component: 'api', state: 'degraded', from: days.back(27, '11:00'), minutes: 6 },
    { component: 'mcp', state: 'down', from: days.back(24, '12:00'), minutes: 9 },
  ]
  const checked = componentIds.filter((component) => !unchecked.has(component))
  const data = Array.from({ length: count }, (_, index) => count - index).flatMap((back) => {
    const date = new Date(days.end.getTime() - back * 86_400_000).toISOString().slice(0, 10)
    const day = new Date(`${date}T00:00:00Z`)
    return checked.flatMap((component) => {
      const ofDay = outages.filter(
        ({ component: name, from }) => name === component && from.toISOString().startsWith(date),
      )
      const downMinutes = ofDay.reduce((sum, { minutes }) => sum + minutes, 0)
      return [
        ...ofDay.map(({ state, minutes }) => ({ component, day, state, minutes })),
        { component, day, state: 'operational', minutes: 1_440 - downMinutes },
      ]
    })
  })
  await prisma.statusDay.createMany({ data, skipDuplicates: true })
}
