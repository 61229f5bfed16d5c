/** What the verbs of agreements are given. */
import type { CounterSignaturePolicy } from '../../contract/workflows/agreements.ts'
import type { Core } from '../workflow/engine.ts'
import type { AgreementTexts } from './agreement-texts.ts'
import type { AgreementListener } from './agreement-types.ts'

export type AgreementCore = Core &
  Readonly<{
    texts: AgreementTexts
    counterSignature: CounterSignaturePolicy
    /** Told of every change inside its transaction. */
    listeners: readonly AgreementListener[]
  }>
