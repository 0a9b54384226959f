/**
 * A result that is made when it is first asked for. Object literals of requests have such functions instead of getters.
 * V8 gives each literal with a getter a shape of its own, in old memory. All that the getter can reach then stays there
 * until the next full collection.
 */
export function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}
