/** Agreements, as the rest of the server and the portal reach them. */
import type { Logger } from 'pino'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { type CounterSignaturePolicy, counterSignaturePolicy } from '../../contract/agreements.ts'
import type { Env } from '../../env.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Throttle } from '../accounts/throttle.ts'
import { createOfficeCalendar } from '../business-days/business-days.ts'
import { createAgreementDue } from './agreement-due.ts'
import { createAgreementMails } from './agreement-mails.ts'
import type { AgreementTexts } from './agreement-texts.ts'
import type { AgreementListener, Agreements } from './agreement-types.ts'
import { createAgreementWalk } from './agreement-walk.ts'
import { createEndings } from './endings.ts'
import { createExecution } from './execution.ts'
import { createInForce } from './in-force.ts'
import { createNegotiation } from './negotiation.ts'
import { createOffers } from './offers.ts'
import { createReadAgreements } from './read-agreements.ts'
import { createReoffers } from './reoffers.ts'
import { createSignatories } from './signatories.ts'
import { createSigning } from './signing.ts'
import { createVerifyDocument } from './verify-document.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  log: Pick<Logger, 'error'>
  env: Pick<Env, 'BUSINESS_TZ'>
  mail: Pick<Mail, 'enqueue'>
  portalAudit: PortalAudit
  texts: AgreementTexts
  throttle: Pick<Throttle, 'take'>
  /** Told of every change inside its transaction; whoever is told may be made later than this. */
  listeners: readonly AgreementListener[]
  counterSignature?: CounterSignaturePolicy
}

export function createAgreements({
  prisma,
  clock,
  log,
  env,
  mail,
  portalAudit,
  texts,
  throttle,
  listeners,
  counterSignature = counterSignaturePolicy,
}: Dependencies) {
  const mails = createAgreementMails({ mail })
  const walk = createAgreementWalk({ prisma, clock, portalAudit, mails, listeners })
  const calendar = createOfficeCalendar(env.BUSINESS_TZ)
  const rooms = { prisma, clock, walk, texts, calendar, counterSignature }
  const reoffers = createReoffers(rooms)
  const execution = createExecution(rooms)
  const endings = createEndings(rooms)
  const { offer, replace } = createOffers(rooms)
  const { edit, reject, withdraw, withdrawOpen, resume } = createNegotiation(rooms, reoffers)
  const { sign, counterSign } = createSigning(rooms, execution, reoffers)
  const { nameSignatory } = createSignatories(rooms)
  const reading = createReadAgreements({ prisma })
  const forOthers: Agreements = {
    offer,
    ...createInForce({ texts }),
    withdrawOpen,
    openReturnTask: endings.openReturnTask,
    ...createAgreementDue({ ...rooms, log, endings, reoffers, mails }),
    pageForOrganization: reading.pageForOrganization,
    pageForPractice: reading.pageForPractice,
    listForOrganization: reading.listForOrganization,
    listForPractice: reading.listForPractice,
    listForRequest: reading.listForRequest,
  }
  return {
    ...forOthers,
    listForCounterSignature: reading.listForCounterSignature,
    listForOperations: reading.listForOperations,
    read: reading.read,
    readFile: reading.readFile,
    sign,
    counterSign,
    edit,
    reject,
    withdraw,
    resume,
    nameSignatory,
    /** A new text for what is in force; both sides sign it. */
    amend: replace,
    terminate: endings.terminate,
    attest: endings.attest,
    verify: createVerifyDocument({ prisma, clock, throttle }),
    walk,
  }
}

export type AgreementServices = ReturnType<typeof createAgreements>
