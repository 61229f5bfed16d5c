/** The commands of `sandpiper admin`, which create the first people and practices of an installation. */
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { practiceAdminForm, practiceForm, staffForm } from '../contract/forms/operations.ts'
import type { Services } from '../services.ts'
import { UsageError } from './run-command.ts'

type AdminServices = Pick<
  Services,
  'prisma' | 'portalAudit' | 'staffAdmin' | 'practiceAdmin' | 'practiceStaff' | 'env'
>

/** The options of each command; all values are strings. */
const commands = {
  'create-staff': { options: ['email', 'name', 'role'], run: createStaff },
  'create-practice': { options: ['slug', 'name', 'environment'], run: createPractice },
  'invite-practice-admin': { options: ['practice', 'email'], run: invitePracticeAdmin },
} as const satisfies Record<
  string,
  {
    options: readonly string[]
    run: (services: AdminServices, values: Record<string, string | undefined>) => Promise<string>
  }
>

type Command = { name: keyof typeof commands; values: Record<string, string | undefined> }

/** @throws UsageError, and TypeError of the parser for an unknown option */
export function readAdminCommand([name = '', ...args]: readonly string[]): Command {
  if (!isCommand(name))
    throw new UsageError(`unknown command ${name || '(none)'}. Commands: ${Object.keys(commands).join(', ')}`)
  const options = Object.fromEntries(
    commands[name].options.map((option) => [option, { type: 'string' as const }]),
  )
  const { values } = parseArgs({ args, options })
  return { name, values: values as Command['values'] }
}

/**
 * @returns a sentence about the result and the next step
 * @throws UsageError for a missing or malformed option, Problem `conflict` if a name or address is taken
 */
export const runAdminCommand = (services: AdminServices, { name, values }: Command): Promise<string> =>
  commands[name].run(services, values)

async function createStaff({ prisma, portalAudit, staffAdmin }: AdminServices, values: Command['values']) {
  const staff = check(staffForm, values)
  const { created } = await prisma.$transaction((tx) =>
    staffAdmin.inviteStaff(tx, staff, portalAudit.system(), { command: 'create-staff' }),
  )
  return created
    ? `created ${staff.role} ${staff.email}; an email with a link to choose a password is on its way`
    : `${staff.email} has not chosen a password yet; a new link is on its way, and the old one no longer works`
}

async function createPractice({ portalAudit, practiceAdmin, env }: AdminServices, values: Command['values']) {
  const practice = check(practiceForm, values)
  await practiceAdmin.createPractice(practice, portalAudit.system(), { command: 'create-practice' })
  return (
    `created ${practice.environment} practice ${practice.slug}, FHIR base ${env.FHIR_ORIGIN}/r4/${practice.slug}. ` +
    'Its FHIR API is off until its admin turns it on: invite-practice-admin ' +
    `--practice ${practice.slug} --email …`
  )
}

async function invitePracticeAdmin(
  { prisma, portalAudit, practiceStaff }: AdminServices,
  values: Command['values'],
): Promise<string> {
  const { email } = check(practiceAdminForm, values)
  const slug = values.practice
  if (!slug) throw new UsageError('--practice is missing')
  const practice = slug.includes('\0') ? null : await prisma.practice.findUnique({ where: { slug } })
  if (!practice) throw new UsageError(`no practice has the slug ${slug}`)
  if (practice.purpose !== 'office')
    throw new UsageError(`${slug} belongs to Sandpiper itself and has no admin`)
  await prisma.$transaction((tx) =>
    practiceStaff.inviteAs(
      tx,
      { practiceId: practice.id, email, role: 'admin' },
      { name: 'Sandpiper operations', by: portalAudit.system() },
      { command: 'invite-practice-admin' },
    ),
  )
  return `invited ${email} as admin of ${practice.name}; an email with a link is on its way`
}

/** @throws UsageError that names each option that is missing or malformed */
function check<Schema extends z.ZodType>(schema: Schema, values: Command['values']): z.output<Schema> {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) =>
    values[String(path[0])] === undefined
      ? `--${String(path[0])} is missing`
      : `--${String(path[0])}: ${message}`,
  )
  throw new UsageError([...new Set(problems)].join('\n'))
}

const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name)
