/** What `sandpiper practice-data` does, given the services: one practice's data as a whole. */
import { parseArgs } from 'node:util'
import type { Services } from '../services.ts'
import type { OnCopyProgress } from '../store/datasets.ts'
import { UsageError } from './run-command.ts'

type Step = 'snapshot' | 'restore' | 'reset'

const outcomes: Readonly<Record<Step, string>> = {
  snapshot: 'is saved, in place of an earlier snapshot',
  restore: 'is restored to its snapshot; the snapshot stays',
  reset: 'has the template’s people again',
}

interface PracticeDataCommand {
  readonly step: Step
  readonly slug: string
}

/** @throws UsageError, and TypeError of the parser for options there are not */
export function readCommand(args: readonly string[]): PracticeDataCommand {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { practice: { type: 'string' } },
  })
  const [step = '', ...others] = positionals
  if (!isStep(step))
    throw new UsageError(`unknown command ${step || '(none)'}. Commands: ${Object.keys(outcomes).join(', ')}`)
  if (!values.practice || others.length > 0) {
    throw new UsageError('--practice SLUG is required, and nothing else; see --help')
  }
  return { step, slug: values.practice }
}

/**
 * @returns a line that says what was done
 * @throws UsageError for a practice that is not there or cannot be reset, Problem `not_found` without a snapshot,
 * `conflict` when another person replaced the data meanwhile
 */
export async function runCommand(
  { prisma, practiceData, store }: Pick<Services, 'prisma' | 'practiceData' | 'store'>,
  { step, slug }: PracticeDataCommand,
  onProgress?: OnCopyProgress,
): Promise<string> {
  const practice = await prisma.practice.findUnique({ where: { slug } })
  if (!practice) throw new UsageError(`no practice has the slug “${slug}”`)
  if (step === 'reset' && practice.purpose !== 'organization_sandbox') {
    throw new UsageError(
      `${slug} is not the sandbox of an organization. If the seed made it, use seed with --practice ${slug} --anew`,
    )
  }
  const started = performance.now()
  await practiceData[step](practice.id, { ...(onProgress && { onProgress }) })
  const { datasetId } = await prisma.practice.findUniqueOrThrow({ where: { slug } })
  const counts = Object.values(await store.datasets.counts(datasetId))
  const resources = counts.reduce((sum, count) => sum + count, 0).toLocaleString('en-US')
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return `${slug} ${outcomes[step]}: ${resources} resources, ${seconds} s`
}

function isStep(step: string): step is Step {
  return Object.hasOwn(outcomes, step)
}
