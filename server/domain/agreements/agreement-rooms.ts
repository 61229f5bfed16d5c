/** What the steps of an agreement share. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { CounterSignaturePolicy } from '../../contract/agreements.ts'
import type { OfficeCalendar } from '../business-days/business-days.ts'
import type { AgreementTexts } from './agreement-texts.ts'
import type { AgreementWalk } from './agreement-walk.ts'

export type AgreementRooms = {
  prisma: PrismaClient
  clock: () => Date
  walk: AgreementWalk
  texts: AgreementTexts
  calendar: OfficeCalendar
  counterSignature: CounterSignaturePolicy
}
