/** The process that reads one email. */
import { answerApart } from '../apart.ts'
import { readMail } from './read-mail.ts'

await answerApart(async (bytes) => ({ mail: await readMail(bytes) }))
