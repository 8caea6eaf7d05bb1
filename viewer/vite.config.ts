import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['whetstone-source'] },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
  server: { proxy: { '/api': 'http://127.0.0.1:4170' } },
});
