/** A document as a file. */
import { agreementFileLoader } from '../../shared/agreements/agreement.server.ts'

export const loader = agreementFileLoader('practice')
