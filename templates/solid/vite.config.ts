import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

export default defineConfig({
  plugins: [solid()],
  server: {
    host: true,
    port: 5173,
    strictPort: true,
    // The preview reaches this server under a host name of its own.
    allowedHosts: true,
  },
});
