import { Refusal } from '../api/client.ts';
import { me } from '../api/session.ts';
import { has } from '../rights.ts';
import { t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { Icon } from './icon.tsx';
import { tellFailure, toast } from './toast.ts';
import { roleWords } from './words.ts';

/** Message for a person who lacks a role. */
export const lacksRole = (role: string): string => t('refusal.role', { role, words: roleWords(role) });

/** A refusal in words: the role that is missing, the entity that is not there, and the id for support. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error);
  const { status, role, id = '', explanation, retryAfter, isAway } = error;
  if (status === 0) return t('refusal.offline');
  if (isAway) return t((error.request?.method ?? 'GET') === 'GET' ? 'refusal.away' : 'refusal.awayChange');
  if (status === 401) return t('refusal.loggedOut');
  if (role !== undefined) return lacksRole(role);
  if (status === 403 && error.context === 'access') return t('refusal.access', { id });
  // Nothing is closed to who may see everything.
  if (status === 404) return t(has('_administrator') ? 'refusal.notThere' : 'refusal.gone', { id });
  if (status === 429 || (status === 503 && retryAfter !== undefined)) {
    return t('refusal.busy', { seconds: retryAfter ?? 1 });
  }
  // The explanation is for readers of the log.
  if (status === 500) return t('refusal.broken');
  return explanation ?? t('refusal.other', { status });
}

/** Page that explains a request, and what its user lacks. */
export const explainAt = (request: {
  readonly method: string;
  readonly target: string;
  readonly user?: string | undefined;
}) => `/health?${new URLSearchParams({ tab: 'access', ...request, user: request.user ?? '' })}`;

interface RefusalNoteProps {
  readonly error: unknown;
  readonly onAgain?: (() => void) | undefined;
}

export function RefusalNote({ error, onAgain }: RefusalNoteProps) {
  const id = error instanceof Refusal ? error.requestId : undefined;
  const request = error instanceof Refusal && error.status === 403 ? error.request : undefined;
  const soft = error instanceof Refusal && (error.status === 403 || error.status === 404);
  const support = () =>
    `${location.pathname}${location.search}\n${error instanceof Refusal ? error.status : ''} ${sentenceOf(error)}\n${id}`;
  return (
    <div class={soft ? 'note warn' : 'note'} role="alert">
      <Icon name={soft ? 'lock' : 'alert'} />
      <div class="grow stack">
        <p class="what">{sentenceOf(error)}</p>
        {(onAgain || id) && (
          <div class="row wrap">
            {onAgain && (
              <Button icon="refresh" onClick={onAgain}>
                {t('word.again')}
              </Button>
            )}
            {id && <Copy text={support} label={t('word.copySupport')} />}
            {request && <a href={`/ui${explainAt({ ...request, user: me.value?.userName })}`}>{t('word.why')}</a>}
          </div>
        )}
      </div>
    </div>
  );
}

/** Does what a button says, and tells how it ended. Gives whether it worked. */
export async function act(what: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await what();
    if (done !== undefined) toast(done);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tellFailure(sentenceOf(error));
    return false;
  }
}
