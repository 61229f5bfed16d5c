import { uploadAction } from '../../lib/upload.server.ts'
import { page } from '../../services.server.ts'
import { saveForm } from './registration-form.server.ts'

export const action = uploadAction(page((args): Promise<unknown> => saveForm(args)))
