import { emitterOf, event } from '../../core/events/event-kinds.ts';
import type { TargetType } from './tables.ts';

type OfShare = { readonly share: string; readonly targetType: TargetType; readonly targetId: string };

export const shareEvents = {
  'share/create': event<OfShare>(),
  'share/modify': event<OfShare>(),
  'share/delete': event<OfShare>(),
  /** `guest`: the name that the guest gave. */
  'share/use': event<OfShare & { readonly guest?: string }>(),
  'share/upload': event<OfShare & { readonly guest?: string; readonly itemId: string }>(),
};

export const happened = emitterOf(shareEvents);
