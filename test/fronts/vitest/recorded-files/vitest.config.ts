export default { test: { include: ["*.recorded.ts"], reporters: ["default"] } };
