import { runScript } from '../../../core/scripts/run-script.ts';
import type { NamedAction } from '../../../security/ini/security-parts.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createHttpAction, type HttpParts } from './http-action.ts';
import type { ActionOrder, DeliveryResult } from './order.ts';
import { elementOf, findAction, isScript, performByPlugin } from './plugin-action.ts';
import { createScriptAction } from './script.ts';
import { mailEvent } from './smtp-action.ts';

export interface PerformParts extends HttpParts {
  /** Actions of the current configuration. */
  actions(): readonly NamedAction[];
  readonly mailer: Mailer;
}

/** Makes one call. Rejects with the reason of the signal if aborted: the outcome is unknown then. */
export type Perform = (order: ActionOrder, signal: AbortSignal) => Promise<DeliveryResult>;

export function createActionPerformer(parts: PerformParts): Perform {
  const { clock, longest, actions } = parts;
  const http = createHttpAction(parts);
  const script = createScriptAction(runScript, http);
  return async (order, signal) => {
    const { smtp } = order.sent.action;
    if (smtp !== undefined) return mailEvent(parts.mailer, order, smtp, signal);
    const element = elementOf(order.sent);
    if (element === undefined) return http(order, order.sent.action.http!, signal);
    if (isScript(actions(), element)) return script(order, element.texts['script'] ?? '', signal);
    const milliseconds = Math.min(longest, order.within ?? longest);
    return performByPlugin(findAction(actions(), element), element, order, { clock, milliseconds, signal });
  };
}
