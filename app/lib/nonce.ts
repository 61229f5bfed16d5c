import { createContext, useContext } from 'react'

/** The answer's nonce on the server; empty in the browser, which hides nonces from scripts too. */
export const NonceContext = createContext('')

export const useNonce = () => useContext(NonceContext)
