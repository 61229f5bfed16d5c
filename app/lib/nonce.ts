import { createContext, useContext } from 'react'

/** The response's nonce on the server. It is empty in the browser, which hides nonces from scripts. */
export const NonceContext = createContext('')

export const useNonce = () => useContext(NonceContext)
