/** How long things of the authorization server live. Published in the documentation, tested against it. */
export const smartLifetimes = {
  /** From the authorize request to the person's decision. */
  authorizationRequestMinutes: 10,
  launchMinutes: 10,
  codeMinutes: 5,
  /** Access tokens of apps that people use. */
  accessTokenSeconds: 3_600,
  /** Access tokens of backend systems. */
  systemTokenSeconds: 300,
  /** More than three months, renewed by every use. */
  refreshTokenDays: 100,
  /** A refresh token that was just replaced is no sign of theft: two requests may have used it at once. */
  refreshRepeatSeconds: 30,
  /** `exp` of a client assertion, from now. */
  assertionSecondsMax: 300,
  /** By which clocks may differ. */
  clockSkewSeconds: 60,
} as const

/** How much of its own an app may send through the authorize endpoint. */
export const smartLimits = {
  /** Of `state` and of `nonce`, each, in UTF-8. */
  stateBytesMax: 2_048,
} as const
