import type { Components, RedirectLogin } from '../../src/spi/index.ts';
import { oidcLogin } from './login.ts';

/** Logins by way of a provider, which a service may leave out. */
export const loginComponents: Components<RedirectLogin> = { 'portico.OidcLogin': oidcLogin };
