import {
  AppWindow,
  Building2,
  FileSignature,
  KeyRound,
  KeySquare,
  ListX,
  type LucideIcon,
  MailWarning,
  Megaphone,
  Server,
  ShieldCheck,
  Timer,
  TriangleAlert,
  UserCog,
} from 'lucide-react'
import type { InboxKind } from '../../../server/contract/workflows/inbox.ts'

/** What an entry is about, at a glance; its title says the same in words. */
export const kindIcons: Readonly<Record<InboxKind, LucideIcon>> = {
  registration: AppWindow,
  production_key_request: ShieldCheck,
  sandbox_key_request: KeyRound,
  agreement: FileSignature,
  system_authorization: Server,
  expiring_key: Timer,
  access_review: Building2,
  role_request: UserCog,
  incident: Megaphone,
  component: TriangleAlert,
  failed_email: MailWarning,
  failed_job: ListX,
  app_token_errors: KeySquare,
}
