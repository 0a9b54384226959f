import { probers as shipped, soundReader } from '../../../plugins/probers/index.ts';
import { ownProbersHook } from '../../production/checking/public-reading.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';

/** Media checks in the process itself, by what ships. A library of containers makes it large on an edge. */
export const probers = defineRoom({
  name: 'probers',
  extension: { says: 'Media checks that open films, sounds and pictures without plugins and ffprobe.' },
  open: () => ({ hooks: [hooked(ownProbersHook, { probers: shipped, sound: soundReader })] }),
});
