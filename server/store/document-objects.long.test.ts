/** The same on a server that others wrote. */
import { afterAll } from 'vitest'
import { startS3, type TestS3 } from '../../tests/support/swift.ts'
import { documentObjectPromises } from './document-objects.suite.ts'

let s3: TestS3 | undefined

documentObjectPromises('OpenStack Swift', async () => {
  s3 = await startS3()
  return s3.settings
})
afterAll(() => s3?.stop())
