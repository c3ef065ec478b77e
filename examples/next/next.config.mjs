export default {
  // This folder alone, whatever lock files are above it.
  turbopack: { root: import.meta.dirname },
};
