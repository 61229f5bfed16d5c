/** The log of a simulated launch: each step with what was sent and what came, secrets masked before they are stored. */
import type { LaunchStep, Prisma } from '../../../prisma/generated/client/client.ts'
import type { LaunchStepName } from '../../contract/lab/launch-lab.ts'
import type { OAuthRefusal } from '../../contract/smart/oauth-errors.ts'
import { storableText } from '../../contract/text/storable-text.ts'
import type { Core } from '../../domain/core.ts'

type ExchangeStep = Readonly<{
  step: LaunchStepName
  ok: boolean
  sent: Readonly<Record<string, unknown>>
  came: Readonly<Record<string, unknown>>
  /** What was decided, for the developer. */
  note?: string
  refusal?: OAuthRefusal
}>

const secretFields = new Set([
  'code',
  'launch',
  'state',
  'nonce',
  'code_verifier',
  'code_challenge',
  'access_token',
  'refresh_token',
  'id_token',
  'client_assertion',
  'client_secret',
])
const shownCharacters = 4
const valueMax = 2_000
const nameMax = 100

/** More steps than any launch has: a client that goes on refreshing fills no disk. */
const stepsMax = 60

export async function noteStep(
  { prisma, clock }: Core,
  simulationId: string,
  { step, ok, sent, came, note, refusal }: ExchangeStep,
): Promise<void> {
  if ((await prisma.launchStep.count({ where: { simulationId } })) >= stepsMax) return
  await prisma.launchStep.create({
    data: {
      simulationId,
      at: clock(),
      step,
      ok,
      sent: masked(sent),
      came: masked(came),
      note: note ?? null,
      refusal: refusal ?? null,
    },
  })
}

/**
 * The first characters tell one from another; the rest stays where it belongs. Apps send what they like: what the
 * database could not hold (half of a pair, a NUL) must not make an error of a request that went well.
 */
function masked(fields: Readonly<Record<string, unknown>>): Prisma.InputJsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
      const shown = secretFields.has(name)
        ? `${storableText(text, shownCharacters)}…`
        : storableText(text, valueMax)
      return [storableText(name, nameMax), shown]
    }),
  )
}

/** A step as its page shows it. */
export type ShownStep = ReturnType<typeof toShownStep>

export const toShownStep = ({ step, at, ok, sent, came, note, refusal }: LaunchStep) => ({
  step: step as LaunchStepName,
  at,
  ok,
  sent: sent as Record<string, string>,
  came: came as Record<string, string>,
  note,

  /** Of contract/smart/oauth-errors.ts. */
  refusal,
})
