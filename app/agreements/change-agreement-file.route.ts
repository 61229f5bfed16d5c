import { uploadAction } from '../lib/upload.server.ts'
import { changeAction } from './change-agreement.server.ts'

export const action = uploadAction(changeAction)
