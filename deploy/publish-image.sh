#!/bin/sh
# Builds the image of a clean checkout for two architectures, and pushes it under the version of the program.
# From the top of a checkout, after docker login: deploy/publish-image.sh registry.example.com/portico
set -eu
image=${1:?Expected the name of an image, such as registry.example.com/portico}
if [ -n "$(git status --porcelain)" ]; then
  echo 'Expected a checkout without changes: the label names its commit' >&2
  exit 1
fi
version=$(node -p 'require("./package.json").version')
revision=$(git rev-parse HEAD)
# Both attestations let a cluster check what an image was made of, and from which commit.
exec docker buildx build --file deploy/Containerfile --platform linux/amd64,linux/arm64 \
  --provenance mode=max --sbom true \
  --label "org.opencontainers.image.version=$version" --label "org.opencontainers.image.revision=$revision" \
  --label org.opencontainers.image.title=Portico \
  --tag "$image:$version" --push .
