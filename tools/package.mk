# The Makefile of src/ in the package, which `pkg install` runs: the project's own Makefile (knng.mk), its results going
# to where pkg copies from. pkg would take gateways that lie in src/ out of their +folder, and leave the plugin behind.
all:
	@$(MAKE) --no-print-directory -f knng.mk INNER=../inst/+knng/+internal WERROR= all || { \
		echo "knng: where it is nvcc that fails, setenv ('NVCC', '') before pkg install builds for the CPU alone"; \
		exit 1; }
.PHONY: all
