/** Accounts: signing up and in, links of mails, passwords, step-up (workflows §1). */
export { createDemoAccount } from './demo-account.ts'
export { signInAtTour } from './demo-sign-in.ts'
export {
  cancelEmailChange,
  checkEmailChange,
  confirmEmailChange,
  findEmailChange,
  forgetEndedChanges,
  requestEmailChange,
} from './email-changes.ts'
export { findLink, requestPasswordReset, resendVerification, sendLink } from './links.ts'
export { changePassword, resetPassword } from './password-changes.ts'
export { signIn, stepUp } from './sign-in.ts'
export { endOtherSessions, endSession, signOut } from './sign-out.ts'
export { signUp, verifyEmail } from './sign-up.ts'
export { deleteEnded, purgeUnverified } from './ticks.ts'
