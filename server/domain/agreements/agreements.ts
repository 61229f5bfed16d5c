/** Agreements, as the rest of the server and the portal reach them. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { type CounterSignaturePolicy, counterSignaturePolicy } from '../../contract/workflows/agreements.ts'
import type { Env } from '../../env.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Throttle } from '../accounts/throttle.ts'
import { createOfficeCalendar } from '../business-days/business-days.ts'
import type { AgreementTexts } from './agreement-texts.ts'
import type { AgreementListener, Agreements } from './agreement-types.ts'
import type { AgreementCore } from './dependencies.ts'
import { tick } from './due.ts'
import { attest, openReturnTask, terminate } from './endings.ts'
import { createInForce } from './in-force.ts'
import { edit, reject, resume, withdraw, withdrawOpen } from './negotiation.ts'
import { offer, replace } from './offers.ts'
import { createReadAgreements } from './read-agreements.ts'
import { nameSignatory } from './signatories.ts'
import { counterSign, sign } from './signing.ts'
import { createVerifyDocument } from './verify-document.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  log: AgreementCore['log']
  env: Pick<Env, 'BUSINESS_TZ'>
  mail: Pick<Mail, 'enqueue'>
  portalAudit: PortalAudit
  texts: AgreementTexts
  throttle: Pick<Throttle, 'take'>
  /** Told of every change inside its transaction; whoever is told may be made later than this. */
  listeners: readonly AgreementListener[]
  counterSignature?: CounterSignaturePolicy
}

export function createAgreements(dependencies: Dependencies) {
  const { prisma, clock, log, env, mail, portalAudit, texts, throttle, listeners } = dependencies
  const { counterSignature = counterSignaturePolicy } = dependencies
  const calendar = createOfficeCalendar(env.BUSINESS_TZ)
  const core = { prisma, clock, log, mail, portalAudit, calendar, texts, listeners, counterSignature }
  /** The verb, given what all of them need. */
  const on =
    <In extends unknown[], Out>(verb: (core: AgreementCore, ...input: In) => Out) =>
    (...input: In) =>
      verb(core, ...input)
  const { listForCounterSignature, listForOperations, read, readFile, ...lists } = createReadAgreements({
    prisma,
  })
  const forOthers: Agreements = {
    ...createInForce({ texts }),
    ...lists,
    offer: on(offer),
    withdrawOpen: on(withdrawOpen),
    openReturnTask,
    tick: on(tick),
  }
  return {
    ...forOthers,
    listForCounterSignature,
    listForOperations,
    read,
    readFile,
    sign: on(sign),
    counterSign: on(counterSign),
    edit: on(edit),
    reject: on(reject),
    withdraw: on(withdraw),
    resume: on(resume),
    nameSignatory: on(nameSignatory),
    amend: on(replace),
    terminate: on(terminate),
    attest: on(attest),
    verify: createVerifyDocument({ prisma, clock, throttle }),
  }
}

export type AgreementServices = ReturnType<typeof createAgreements>
