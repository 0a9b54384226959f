import { ServiceError } from '../../lib/errors.ts';
import type { OAuth2Configuration, OAuth2Problem } from '../../spi/index.ts';
import type { CommitPlan } from '../../store/contract.ts';
import { happened } from '../events.ts';
import { setDocument } from '../live-document.ts';

const changed = () => happened('configuration/modify', 'auth', { name: 'auth' });

/** Replaces all that was said before; nothing of it is merged. */
export function replaceOAuth2(configuration: OAuth2Configuration, problems: readonly OAuth2Problem[]): CommitPlan {
  const [first, ...others] = problems;
  if (first) {
    const explanation = [first, ...others].map((problem) => problem.explanation).join('; ');
    throw new ServiceError('bad-value', { context: `/OAuth2ConfigurationDocument/${first.element}`, explanation });
  }
  return { changes: [setDocument('auth', configuration)], events: [changed()] };
}

export const removeOAuth2 = (): CommitPlan => ({ changes: [setDocument('auth', undefined)], events: [changed()] });

export function closed(): ServiceError {
  const explanation = 'Expected oauth2Auth.allowConfigUpdate = true in security.ini, which closes this resource';
  return new ServiceError('not-allowed', { context: 'security.ini', id: 'oauth2Auth', explanation });
}
