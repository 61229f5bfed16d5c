/** A document as a file. */
import { agreementFileLoader } from '../agreement.server.ts'

export const loader = agreementFileLoader('practice')
