/** Sign-in and proof pages of each realm. One route module serves all realms; the URL says which. */
import { paths } from '../../server/contract/portal/paths.ts'
import type { Realm } from '../../server/contract/portal/realms.ts'

type Paths = Readonly<{
  signIn: string
  /** Landing page when no other was requested. */
  first: string
}>

/** Realms whose sign-in takes more than a password. */
type ProofPaths = Paths & Readonly<{ confirmPassword: string; mfa: string; recoveryCodes: string }>

export type ProofRealm = Exclude<Realm, 'patient'>

export const proofPaths: Readonly<Record<ProofRealm, ProofPaths>> = {
  developer: {
    signIn: paths.signIn,
    first: paths.developers,
    confirmPassword: paths.confirmPassword,
    mfa: paths.mfa,
    recoveryCodes: paths.recoveryCodes,
  },
  staff: {
    signIn: paths.staffSignIn,
    first: paths.reviewQueue,
    confirmPassword: paths.staffConfirmPassword,
    mfa: paths.staffMfa,
    recoveryCodes: paths.staffRecoveryCodes,
  },
  practice: {
    signIn: paths.practiceSignIn,
    first: paths.practice,
    confirmPassword: paths.practiceConfirmPassword,
    mfa: paths.practiceMfa,
    recoveryCodes: paths.practiceRecoveryCodes,
  },
}

export const signInPaths: Readonly<Record<Realm, string>> = {
  developer: paths.signIn,
  staff: paths.staffSignIn,
  practice: paths.practiceSignIn,
  patient: paths.patientSignIn,
}

/** The realm in the URL of a page that is mounted once for each realm. */
export const realmOf = (request: Pick<Request, 'url'>) =>
  realmAmong(request, ['developer', 'staff', 'practice'])

/** Like `realmOf`, for a page of other realms. If the URL names none of them, it is the first. */
export function realmAmong<R extends Realm>({ url }: Pick<Request, 'url'>, realms: readonly [R, ...R[]]): R {
  const [, first] = new URL(url).pathname.split('/')
  return realms.find((realm) => realm === first) ?? realms[0]
}

/** The URL of a page that confirms a password or a code and then continues to `next`. */
export function confirmPath(path: string, next: string): string {
  return `${path}?${new URLSearchParams({ next })}`
}
