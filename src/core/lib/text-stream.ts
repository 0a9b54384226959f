/** Texts as the bytes of a body, each made when it is read. `left`: ends what the texts come from when the reader leaves. */
export function textStream(
  texts: AsyncGenerator<string | Uint8Array, void>,
  left: () => Promise<unknown> = async () => undefined,
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? utf8.encode(value) : value);
      },
      async cancel() {
        await texts.return();
        await left();
      },
    },
    { highWaterMark: 0 },
  );
}
