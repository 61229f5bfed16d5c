import { uploadAction } from '../../lib/upload.server.ts'
import { changeAction } from '../../shared/agreements/change-agreement.server.ts'

export const action = uploadAction(changeAction('developer'))
