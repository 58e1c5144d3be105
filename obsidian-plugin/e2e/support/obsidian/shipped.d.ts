declare module "shipped-plugin";
