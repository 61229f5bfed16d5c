import { uploadAction } from '../../lib/upload.server.ts'
import { page } from '../../services.server.ts'
import { createNewApp } from './new-app.server.ts'

export const action = uploadAction(page(createNewApp))
