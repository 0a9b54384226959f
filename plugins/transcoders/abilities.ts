import type { MediaLibrary } from './convert.ts';
import { audioNames, videoNames } from './names.ts';
import type { Encodes } from './plan.ts';

/** Codecs that can be encoded beside the library, by the names of presets. */
export async function encodesOf(library: MediaLibrary): Promise<Encodes> {
  const able = async <C>(names: Readonly<Record<string, C>>, ask: (codec: C) => Promise<boolean>) => {
    const found: string[] = [];
    for (const [name, codec] of Object.entries(names)) if (await ask(codec)) found.push(name);
    return found;
  };
  return {
    video: await able(videoNames, (codec) => library.canEncodeVideo(codec)),
    audio: await able(audioNames, (codec) => library.canEncodeAudio(codec)),
  };
}
